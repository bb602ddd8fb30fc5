import { isObject, type Json } from '@atoll-mcp/core';

/**
 * What a program gets from a call: the structured content if there is any, else the text, else the content blocks. A body that
 * the tool's output schema declares as nothing but `{result}` is that result.
 */
export function callValue(result: Json, definition: Json): unknown {
  const { structuredContent, content } = result;
  if (structuredContent !== undefined) {
    const isWrapped = isObject(structuredContent) && wrappedSchema(definition.outputSchema) !== undefined;
    return isWrapped && Object.hasOwn(structuredContent, 'result') ? structuredContent.result : structuredContent;
  }
  const blocks = Array.isArray(content) ? content : [];
  return blocks.every((block) => isObject(block) && typeof block.text === 'string') ? textOf(blocks) : blocks;
}

/** The schema of `result` where an output schema has no other property. */
export function wrappedSchema(schema: unknown): Json | undefined {
  if (!isObject(schema) || schema.type !== 'object' || !isObject(schema.properties)) return undefined;
  const names = Object.keys(schema.properties);
  const { result } = schema.properties;
  return names.length === 1 && isObject(result) ? result : undefined;
}

/** The tool's own message of a result that reports a failure. */
export function failureMessage({ structuredContent, content }: Json): string {
  const text = Array.isArray(content) ? textOf(content) : '';
  if (!isObject(structuredContent)) return text || NO_MESSAGE;
  const { error, message } = structuredContent;
  const inner = isObject(error) ? error.message : error;
  const said = [inner, message, text].find((each) => typeof each === 'string' && each !== '');
  return typeof said === 'string' ? said : NO_MESSAGE;
}

function textOf(blocks: readonly unknown[]): string {
  return blocks.flatMap((block) => (isObject(block) && typeof block.text === 'string' ? block.text : [])).join('\n');
}

const NO_MESSAGE = 'The tool failed without a message';
