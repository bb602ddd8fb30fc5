/** One piece of an answer or a prompt, as the protocol carries it. */
export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
      readonly size?: number;
    }
  | { readonly type: 'resource'; readonly resource: ResourceContents };

/** What a resource holds: text, or bytes as base64. */
export type ResourceContents =
  | {
      readonly uri: string;
      readonly mimeType?: string;
      readonly text: string;
      readonly _meta?: Record<string, unknown>;
    }
  | {
      readonly uri: string;
      readonly mimeType?: string;
      readonly blob: string;
      readonly _meta?: Record<string, unknown>;
    };

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: Content;
}

/** Under which a failed result says its code to those who count failures; it never leaves the process. */
export const failureCode: unique symbol = Symbol.for('atoll.failureCode');

export interface ToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Record<string, unknown>;
  readonly [failureCode]?: string;
}
