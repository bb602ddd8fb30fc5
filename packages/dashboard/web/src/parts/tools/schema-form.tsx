import { useId } from 'preact/hooks';
import type { Schema } from '../../lib/mcp.ts';
import { fieldsOf, kindOf, resolve } from '../../lib/schema.ts';
import { t } from '../../lib/texts.ts';
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
  const required = new Set((schema.required ?? []) as string[]);
  if (properties.length === 0) return <p class="hint">{t('This needs no arguments.')}</p>;
  const set = (name: string, next: unknown) => {
    const { [name]: _before, ...others } = value;
    onChange(next === undefined ? others : { ...others, [name]: next });
  };
  return (
    <div class="form">
      {properties.map(([name, field]) => (
        <Field
          key={name}
          name={name}
          schema={field}
          root={root}
          value={value[name]}
          isRequired={required.has(name) && (isNeeded || Object.keys(value).length > 0)}
          onChange={(next) => set(name, next)}
        />
      ))}
    </div>
  );
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
