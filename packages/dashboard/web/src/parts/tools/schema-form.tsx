import { useId, useState } from 'preact/hooks';
import type { Schema } from '../../lib/mcp.ts';
import { fieldsOf, kindOf, resolve } from '../../lib/schema.ts';
import { plural, t } from '../../lib/texts.ts';
import { Entries, Items, Variants } from './schema-groups.tsx';
import { Input } from './schema-inputs.tsx';

export interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  /** The schema that references are relative to. */
  readonly root: Schema;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly onChange: (value: unknown) => void;
}

/** A form made from a JSON Schema: what the schema can't say in fields is typed as JSON. */
export function SchemaForm({
  schema,
  root = schema,
  isNeeded = true,
  value,
  onChange,
}: {
  schema: Schema;
  root?: Schema;
  /** Fields of an object that may be left out are required only once it has begun. */
  isNeeded?: boolean;
  value: Record<string, unknown>;
  onChange: (value: Record<string, unknown>) => void;
}) {
  const properties = fieldsOf(schema, root);
  const [isOpen, setOpen] = useState(false);
  const [isFolded] = useState(() => foldedOf(properties, schema, value));
  const required = new Set((schema.required ?? []) as string[]);
  if (properties.length === 0) return <p class="hint">{t('This needs no arguments.')}</p>;
  const set = (name: string, next: unknown) => {
    const { [name]: _before, ...others } = value;
    onChange(next === undefined ? others : { ...others, [name]: next });
  };
  const fieldOf = ([name, field]: (typeof properties)[number]) => (
    <Field
      key={name}
      name={name}
      schema={field}
      root={root}
      value={value[name]}
      isRequired={required.has(name) && (isNeeded || Object.keys(value).length > 0)}
      onChange={(next) => set(name, next)}
    />
  );
  const folded = properties.filter(([name]) => isFolded.has(name));
  // What is taken up from a former try is in sight.
  const hasValue = folded.some(([name]) => value[name] !== undefined);
  return (
    <div class="form">
      {properties.filter(([name]) => !isFolded.has(name)).map(fieldOf)}
      {folded.length > 0 && (
        <details class="more-fields" open={isOpen || hasValue} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{plural(folded.length, 'more optional field')}</summary>
          <div class="form">{folded.map(fieldOf)}</div>
        </details>
      )}
    </div>
  );
}

/** Optional fields beyond this many are folded away, but for those that have a value. */
const MOST_OPTIONAL = 6;

function foldedOf(
  properties: readonly (readonly [string, Schema])[],
  schema: Schema,
  value: Record<string, unknown>,
): ReadonlySet<string> {
  const required = new Set((schema.required ?? []) as string[]);
  const optional = properties.map(([name]) => name).filter((name) => !required.has(name));
  if (optional.length <= MOST_OPTIONAL) return new Set();
  const empty = optional.filter((name) => value[name] === undefined);
  // A form without a field in sight would look as if it had none.
  return new Set(empty.length === properties.length ? empty.slice(2) : empty);
}

export function Field({ name, schema: given, root, value, isRequired, onChange }: FieldProps) {
  const id = useId();
  const schema = resolve(given, root);
  const kind = kindOf(schema);
  const about = schema.description ? `${id}-about` : undefined;
  const words = (
    <>
      {name} {isRequired ? <span class="required">{t('required')}</span> : <span class="hint">{t('optional')}</span>}
    </>
  );
  const description = about && (
    <p class="hint" id={about}>
      {String(schema.description)}
    </p>
  );
  if (kind === 'object' || kind === 'map' || kind === 'array' || kind === 'variants') {
    return (
      <fieldset class="field" aria-describedby={about}>
        <legend>{words}</legend>
        {description}
        {kind === 'object' && (
          <SchemaForm
            schema={schema}
            root={root}
            isNeeded={isRequired}
            value={recordOf(value)}
            onChange={(next) => onChange(Object.keys(next).length > 0 || isRequired ? next : undefined)}
          />
        )}
        {kind === 'map' && <Entries schema={schema} root={root} value={recordOf(value)} onChange={onChange} />}
        {kind === 'array' && <Items schema={schema} root={root} value={value} onChange={onChange} />}
        {kind === 'variants' && <Variants name={name} schema={schema} root={root} value={value} onChange={onChange} />}
      </fieldset>
    );
  }
  return (
    <div class="field">
      <label for={id}>{words}</label>
      {description}
      <Input
        id={id}
        kind={kind}
        about={about}
        schema={schema}
        value={value}
        isRequired={isRequired}
        onChange={onChange}
      />
    </div>
  );
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
