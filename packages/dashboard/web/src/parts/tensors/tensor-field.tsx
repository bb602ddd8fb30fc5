import { useId } from 'preact/hooks';
import { useLoaded, useRested } from '../../lib/hooks.ts';
import { searchTensors } from '../../lib/tensors.ts';
import { t } from '../../lib/texts.ts';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A tensor, found as its name is typed. */
export function TensorField({ label, value, onInput }: Props) {
  const id = useId();
  const rested = useRested(value, 180);
  const found = useLoaded((signal) => searchTensors({ text: rested }, 0, 20, signal), [rested]);
  return (
    <>
      <label>
        {label}
        <input
          required
          list={id}
          placeholder={t('its name, as you type')}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </label>
      <datalist id={id}>
        {found.value?.tensors.map(({ uuid, user_name: name, original_shape: shape }) => (
          <option key={uuid} value={name}>
            {shape}
          </option>
        ))}
      </datalist>
    </>
  );
}
