import { type ReadSink, UnreadableFile } from '../../domain/document.ts';
import { decodeImage, imagesIn } from '../ocr/decode-image.ts';
import type { Recognition } from '../ocr/recognition.ts';
import { writeRecognised } from './write-recognised.ts';

/** Reads the text in an image, page by page where a TIFF has several. Boxes are in pixels of the image as it is shown. */
export async function readImage(
  bytes: Uint8Array,
  sink: ReadSink,
  recognition: Recognition | undefined,
): Promise<void> {
  const images = imagesIn(bytes);
  if (!recognition || recognition.problem !== undefined) {
    throw new UnreadableFile(`It is an image. ${recognition?.problem ?? 'Its text is not recognised here'}`);
  }
  if (images.length > recognition.maxPages) {
    throw new UnreadableFile(
      `It has ${images.length} pages; text is recognised on at most ${recognition.maxPages} (--ocr-pages)`,
    );
  }
  let line = 0;
  for (const [at, image] of images.entries()) {
    const { scale, ...picture } = await decodeImage(bytes, image);
    const paragraphs = await recognition.paragraphsOf(picture, at, images.length);
    line = writeRecognised(paragraphs, { page: at + 1, lastNumber: line, scale }, sink);
  }
  sink.figures(images.length);
  if (line === 0) throw new UnreadableFile('It is an image without text that could be recognised');
}
