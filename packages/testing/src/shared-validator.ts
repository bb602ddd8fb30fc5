import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';

const ajv = new AjvJsonSchemaValidator();
const compiled = new Map<string, JsonSchemaValidator<unknown>>();

/** Checks as every client does by itself, but compiles equal schemas once for all clients of a test file. */
export const sharedValidator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const text = JSON.stringify(schema);
    // Ajv keeps a schema by its name, which another server may give to another one.
    if (/"\$id"/.test(text)) return new AjvJsonSchemaValidator().getValidator<T>(schema);
    const known = compiled.get(text) ?? ajv.getValidator<unknown>(schema);
    compiled.set(text, known);
    // What it returns as data is the value that it was given.
    return known as JsonSchemaValidator<T>;
  },
};
