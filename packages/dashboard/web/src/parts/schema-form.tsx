import { useId } from 'preact/hooks';
import type { Schema } from '../lib/mcp.ts';
import { blankOf, choicesOf, fileFieldOf, kindOf } from '../lib/schema.ts';

interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly onChange: (value: unknown) => void;
}

/** A form made from a JSON Schema: what the schema can't say in fields is typed as JSON. */
export function SchemaForm({
  schema,
  value,
  onChange,
}: {
  schema: Schema;
  value: Record<string, unknown>;
  onChange: (value: Record<string, unknown>) => void;
}) {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const required = new Set((schema.required ?? []) as string[]);
  if (properties.length === 0) return <p class="hint">This needs no arguments.</p>;
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
          value={value[name]}
          isRequired={required.has(name)}
          onChange={(next) => set(name, next)}
        />
      ))}
    </div>
  );
}

function Field({ name, schema, value, isRequired, onChange }: FieldProps) {
  const id = useId();
  const kind = kindOf(schema);
  const description = schema.description as string | undefined;
  return (
    <div class="field">
      <label for={id}>
        {name} {isRequired ? <span class="required">required</span> : <span class="hint">optional</span>}
      </label>
      {description && (
        <p class="hint" id={`${id}-about`}>
          {description}
        </p>
      )}
      {kind === 'object' ? (
        <fieldset id={id}>
          <legend class="hidden">{name}</legend>
          <SchemaForm schema={schema} value={(value as Record<string, unknown>) ?? {}} onChange={onChange} />
        </fieldset>
      ) : kind === 'array' ? (
        <Items id={id} schema={schema} value={value as unknown[] | undefined} onChange={onChange} />
      ) : (
        <Input id={id} kind={kind} schema={schema} value={value} isRequired={isRequired} onChange={onChange} />
      )}
    </div>
  );
}

function Items({
  id,
  schema,
  value = [],
  onChange,
}: {
  id: string;
  schema: Schema;
  value: unknown[] | undefined;
  onChange: (value: unknown) => void;
}) {
  const item = schema.items as Schema;
  const replace = (index: number, next: unknown) => onChange(value.map((old, at) => (at === index ? next : old)));
  const remove = (index: number) => {
    const left = value.filter((_, at) => at !== index);
    onChange(left.length > 0 ? left : undefined);
  };
  return (
    <div class="items" id={id}>
      {value.map((entry, index) => (
        <div class="item" key={index}>
          <Field
            name={String(index + 1)}
            schema={item}
            value={entry}
            isRequired
            onChange={(next) => replace(index, next)}
          />
          <button type="button" class="quiet" aria-label={`Remove entry ${index + 1}`} onClick={() => remove(index)}>
            ✕
          </button>
        </div>
      ))}
      <button type="button" class="quiet" onClick={() => onChange([...value, blankOf(item)])}>
        + Add
      </button>
    </div>
  );
}

function Input({
  id,
  kind,
  schema,
  value,
  isRequired,
  onChange,
}: Omit<FieldProps, 'name'> & { id: string; kind: string }) {
  const about = schema.description ? `${id}-about` : undefined;
  const choices = choicesOf(schema);
  if (choices) {
    return (
      <select
        id={id}
        aria-describedby={about}
        value={value === undefined ? '' : String(value)}
        onChange={(event) => onChange(choices.find((choice) => String(choice) === event.currentTarget.value))}
      >
        {!(isRequired && value !== undefined) && (
          <option value="">{schema.default === undefined ? '—' : `default: ${schema.default}`}</option>
        )}
        {choices.map((choice) => (
          <option key={String(choice)}>{String(choice)}</option>
        ))}
      </select>
    );
  }
  if (kind === 'boolean') {
    return (
      <select
        id={id}
        aria-describedby={about}
        value={value === undefined ? '' : String(value)}
        onChange={(event) =>
          onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value === 'true')
        }
      >
        <option value="">{schema.default === undefined ? '—' : `default: ${schema.default}`}</option>
        <option value="true">true</option>
        <option value="false">false</option>
      </select>
    );
  }
  if (kind === 'number') {
    return (
      <input
        id={id}
        type="number"
        step="any"
        aria-describedby={about}
        placeholder={schema.default === undefined ? '' : String(schema.default)}
        value={value === undefined ? '' : String(value)}
        onInput={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.valueAsNumber)}
      />
    );
  }
  if (kind === 'json') return <JsonInput id={id} value={value} about={about} onChange={onChange} />;
  return (
    <>
      <textarea
        id={id}
        rows={fileFieldOf(schema) ? 2 : 1}
        aria-describedby={about}
        placeholder={schema.default === undefined ? '' : String(schema.default)}
        value={(value as string) ?? ''}
        onInput={(event) =>
          onChange(event.currentTarget.value === '' && !isRequired ? undefined : event.currentTarget.value)
        }
      />
      {fileFieldOf(schema) && <FileInput onText={onChange} />}
    </>
  );
}

function JsonInput({
  id,
  value,
  about,
  onChange,
}: {
  id: string;
  value: unknown;
  about: string | undefined;
  onChange: (value: unknown) => void;
}) {
  const take = (field: HTMLTextAreaElement) => {
    try {
      onChange(field.value.trim() === '' ? undefined : JSON.parse(field.value));
      field.setCustomValidity('');
    } catch {
      field.setCustomValidity('This is not JSON yet.');
    }
  };
  return (
    <textarea
      id={id}
      class="code"
      rows={3}
      aria-describedby={about}
      placeholder="JSON"
      onInput={(event) => take(event.currentTarget)}
    >
      {value === undefined ? '' : JSON.stringify(value)}
    </textarea>
  );
}

/** Fills a base64 field from a file of this machine. */
function FileInput({ onText }: { onText: (base64: string) => void }) {
  const read = async (file: File | undefined) => {
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => onText(String(reader.result).split(',')[1] ?? '');
    reader.readAsDataURL(file);
  };
  return (
    <input
      type="file"
      aria-label="Take the bytes of a file"
      onChange={(event) => read(event.currentTarget.files?.[0])}
    />
  );
}
