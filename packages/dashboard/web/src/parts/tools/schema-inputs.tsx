import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schema } from '../../lib/mcp.ts';
import { choicesOf, fileFieldOf, type Kind } from '../../lib/schema.ts';
import { t } from '../../lib/texts.ts';

interface InputProps {
  readonly id: string;
  readonly kind: Kind;
  /** The id of the words that describe the field. */
  readonly about: string | undefined;
  readonly schema: Schema;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly onChange: (value: unknown) => void;
}

type TextEvent = { readonly currentTarget: { readonly value: string } };

/** A field for one value; the browser itself holds it to the schema's limits. */
export function Input(props: InputProps) {
  const { id, kind, about, schema, value, isRequired, onChange } = props;
  if (kind === 'choice') return <Choice {...props} choices={choicesOf(schema)!} />;
  if (kind === 'boolean') return <Choice {...props} choices={[true, false]} />;
  if (kind === 'json') return <JsonInput {...props} />;
  const shared = {
    id,
    'aria-describedby': about,
    // What has a default may be left out.
    required: isRequired && schema.default === undefined,
    placeholder: schema.default === undefined || schema.default === null ? '' : String(schema.default),
  };
  if (kind === 'number') {
    const { minimum, maximum, multipleOf } = schema as Record<string, number | undefined>;
    return (
      <input
        {...shared}
        type="number"
        step={multipleOf ?? (schema.type === 'integer' ? 1 : 'any')}
        min={minimum}
        max={maximum}
        value={value === undefined ? '' : String(value)}
        onInput={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.valueAsNumber)}
      />
    );
  }
  const take = (text: string) => onChange(text === '' && !isRequired ? undefined : text);
  const minLength = schema.minLength as number | undefined;
  const maxLength = schema.maxLength as number | undefined;
  const lengths = { ...(minLength !== undefined && { minLength }), ...(maxLength !== undefined && { maxLength }) };
  const pattern = schema.pattern as string | undefined;
  const text = typeof value === 'string' ? value : '';
  const field = { ...shared, ...lengths, value: text, onInput: (event: TextEvent) => take(event.currentTarget.value) };
  if (schema.format === 'date') return <input {...field} type="date" />;
  if (pattern !== undefined) {
    return (
      <input {...field} type="text" pattern={anywhere(pattern)} title={t('It has to match {pattern}', { pattern })} />
    );
  }
  return (
    <>
      <textarea
        {...shared}
        rows={fileFieldOf(schema) ? 2 : 1}
        // An empty text is a text: only a least length makes it wrong.
        required={isRequired && (minLength ?? 0) > 0}
        {...lengths}
        readOnly={text.length > LONGEST_SHOWN}
        value={text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text}
        onInput={(event) => take(event.currentTarget.value)}
      />
      {fileFieldOf(schema) && <FileInput onText={onChange} />}
    </>
  );
}

/** The bytes of a file would make the page slow, and nobody reads them. */
const LONGEST_SHOWN = 20_000;

/** JSON Schema looks for a pattern anywhere in the text, the browser wants the whole text to match. */
function anywhere(pattern: string): string {
  return `${pattern.startsWith('^') ? '' : '.*'}${pattern.replace(/^\^|\$$/g, '')}${pattern.endsWith('$') ? '' : '.*'}`;
}

function Choice({
  id,
  about,
  schema,
  value,
  isRequired,
  onChange,
  choices,
}: InputProps & { choices: readonly unknown[] }) {
  const at = choices.indexOf(value);
  return (
    <select
      id={id}
      aria-describedby={about}
      required={isRequired}
      value={at < 0 ? '' : String(at)}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        onChange(chosen === '' ? undefined : choices[Number(chosen)]);
      }}
    >
      <option value="">
        {schema.default === undefined ? '—' : t('default: {default}', { default: schema.default })}
      </option>
      {choices.map((choice, index) => (
        <option key={index} value={String(index)}>
          {typeof choice === 'string' ? choice : JSON.stringify(choice)}
        </option>
      ))}
    </select>
  );
}

function JsonInput({ id, about, schema, value, isRequired, onChange }: InputProps) {
  const [text, setText] = useState(() => textOf(value));
  const field = useRef<HTMLTextAreaElement>(null);
  const given = useRef(value);
  useEffect(() => {
    // A value that was not typed here replaces what was.
    if (given.current === value) return;
    given.current = value;
    setText(textOf(value));
    field.current?.setCustomValidity('');
  }, [value]);
  const take = (typed: string) => {
    setText(typed);
    try {
      const parsed = typed.trim() === '' ? undefined : (JSON.parse(typed) as unknown);
      given.current = parsed;
      field.current?.setCustomValidity('');
      onChange(parsed);
    } catch {
      field.current?.setCustomValidity(t('This is not JSON yet: texts need "quotes", lists [ ] and objects { }.'));
    }
  };
  return (
    <textarea
      id={id}
      ref={field}
      class="code"
      rows={3}
      required={isRequired}
      aria-describedby={about}
      placeholder={schema.default === undefined ? 'JSON' : JSON.stringify(schema.default)}
      spellcheck={false}
      value={text}
      onInput={(event) => take(event.currentTarget.value)}
    />
  );
}

function textOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}

/** Fills a base64 field from a file of this machine. */
function FileInput({ onText }: { onText: (base64: string) => void }) {
  const read = (file: File | undefined) => {
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => onText(String(reader.result).split(',')[1] ?? '');
    reader.readAsDataURL(file);
  };
  return (
    <input
      type="file"
      aria-label={t('Use the bytes of a file')}
      onChange={(event) => read(event.currentTarget.files?.[0])}
    />
  );
}
