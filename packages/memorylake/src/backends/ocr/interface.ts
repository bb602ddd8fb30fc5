import type { Picture, RecognisedText, Turn } from '../../domain/pictures/picture.ts';

/** Finds the text in a picture, also in one that is turned by 90, 180 or 270 degrees. */
export interface TextRecogniser {
  recognise(picture: Picture): Promise<RecognisedPicture>;
}

export interface RecognisedPicture {
  /** How the picture has to be turned to stand upright. */
  readonly turn: Turn;
  /** In no particular order, with boxes of the upright picture. */
  readonly texts: readonly RecognisedText[];
}

/** What a reader needs to know to recognise text. */
export interface OcrSettings {
  /** Where the models are, once they were fetched. */
  readonly folder: string;
  /** Most pages of a file that are recognised; 0 for none. */
  readonly maxPages: number;
  /** The command that fetches the models. */
  readonly setUp: string;
}
