import type { Picture, RecognisedText, Turn } from '../../domain/pictures/picture.ts';

/** Recognises text in a picture, also if it is rotated by 90, 180 or 270 degrees. */
export interface TextRecogniser {
  recognise(picture: Picture): Promise<RecognisedPicture>;
}

interface RecognisedPicture {
  /** Rotation that makes the picture upright. */
  readonly turn: Turn;
  /** Unordered, with boxes in the upright picture. */
  readonly texts: readonly RecognisedText[];
}

/** Settings for text recognition. */
export interface OcrSettings {
  /** Folder of the models, once they are downloaded. */
  readonly folder: string;
  /** Maximum pages recognised per file; 0 for none. */
  readonly maxPages: number;
  /** The command that downloads the models. */
  readonly setUp: string;
}
