import { useState } from 'preact/hooks';
import type { Schema } from '../../lib/mcp.ts';
import { blankOf, resolve, variantsOf } from '../../lib/schema.ts';
import { t } from '../../lib/texts.ts';
import { Field } from './schema-form.tsx';

interface GroupProps {
  readonly schema: Schema;
  readonly root: Schema;
  readonly onChange: (value: unknown) => void;
}

/** A list: one field for each entry, and a way to have more or fewer. */
export function Items({ schema, root, value, onChange }: GroupProps & { value: unknown }) {
  const item = resolve(schema.items as Schema, root);
  const entries = Array.isArray(value) ? value : [];
  const replace = (index: number, next: unknown) => onChange(entries.map((old, at) => (at === index ? next : old)));
  const remove = (index: number) => {
    const left = entries.filter((_, at) => at !== index);
    onChange(left.length > 0 ? left : undefined);
  };
  const most = schema.maxItems as number | undefined;
  return (
    <>
      {entries.map((entry, index) => (
        <div class="item" key={index}>
          <Field
            name={String(index + 1)}
            schema={item}
            root={root}
            value={entry}
            isRequired
            onChange={(next) => replace(index, next)}
          />
          <button
            type="button"
            class="quiet"
            aria-label={t('Remove entry {index}', { index: index + 1 })}
            onClick={() => remove(index)}
          >
            ✕
          </button>
        </div>
      ))}
      <button
        type="button"
        class="quiet"
        disabled={most !== undefined && entries.length >= most}
        onClick={() => onChange([...entries, blankOf(item)])}
      >
        {t('+ Add')}
      </button>
    </>
  );
}

/** Any names, each with a value of the same kind. */
export function Entries({ schema, root, value, onChange }: GroupProps & { value: Record<string, unknown> }) {
  const [name, setName] = useState('');
  const item = resolve(schema.additionalProperties as Schema, root);
  const remove = (key: string) => {
    const { [key]: _gone, ...left } = value;
    onChange(Object.keys(left).length > 0 ? left : undefined);
  };
  const add = () => {
    onChange({ ...value, [name.trim()]: blankOf(item) });
    setName('');
  };
  return (
    <>
      {Object.entries(value).map(([key, entry]) => (
        <div class="item" key={key}>
          <Field
            name={key}
            schema={item}
            root={root}
            value={entry}
            isRequired
            onChange={(next) => onChange({ ...value, [key]: next })}
          />
          <button type="button" class="quiet" aria-label={t('Remove {key}', { key })} onClick={() => remove(key)}>
            ✕
          </button>
        </div>
      ))}
      <div class="item">
        <input
          aria-label={t('Name of a new entry')}
          placeholder="name"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="button" class="quiet" disabled={name.trim() === '' || name.trim() in value} onClick={add}>
          {t('+ Add')}
        </button>
      </div>
    </>
  );
}

/** One of several shapes: which one, and then its own field. */
export function Variants({ name, schema, root, value, onChange }: GroupProps & { name: string; value: unknown }) {
  const variants = variantsOf(schema, root);
  const [chosen, setChosen] = useState(-1);
  // A value that came from elsewhere, such as from what was tried before, is shown as JSON.
  const isForeign = chosen < 0 && value !== undefined;
  const variant = isForeign ? undefined : variants[chosen];
  const choose = (index: number) => {
    setChosen(index);
    onChange(index < 0 ? undefined : blankOf(variants[index]!.schema));
  };
  return (
    <div class="form">
      <select
        aria-label={t('Shape of {name}', { name })}
        value={String(chosen)}
        onChange={(event) => choose(Number(event.currentTarget.value))}
      >
        <option value="-1">{isForeign ? t('as it is') : '—'}</option>
        {variants.map((option, index) => (
          <option key={index} value={String(index)}>
            {option.name}
          </option>
        ))}
      </select>
      {isForeign && <Field name={name} schema={{}} root={root} value={value} isRequired onChange={onChange} />}
      {variant && (
        <Field
          key={chosen}
          name={variant.name}
          schema={withoutWords(variant.schema, schema)}
          root={root}
          value={value}
          isRequired
          onChange={onChange}
        />
      )}
    </div>
  );
}

/** What the group has said already is not said again inside it. */
function withoutWords(variant: Schema, group: Schema): Schema {
  const { description, ...others } = variant;
  return description === group.description ? others : variant;
}
