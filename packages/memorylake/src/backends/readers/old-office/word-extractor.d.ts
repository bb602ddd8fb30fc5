declare module 'word-extractor' {
  /** The texts of a Word document of the binary format. */
  interface WordText {
    getBody(): string;
    getFootnotes(): string;
    getEndnotes(): string;
    getHeaders(options?: { includeFooters?: boolean }): string;
    getFooters(): string;
    getAnnotations(): string;
    getTextboxes(options?: { includeHeadersAndFooters?: boolean; includeBody?: boolean }): string;
  }
  const WordExtractor: new () => { extract(source: string | Buffer): Promise<WordText> };
  export = WordExtractor;
}
