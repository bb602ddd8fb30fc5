import { FormatError } from '@atoll-mcp/formats/format-error';
import { checkStart, loaded, type Parser } from './parser.ts';

/** The pixels as they are stored, height × width × channels; a camera's orientation is not applied. */
export const parseJpeg: Parser = async (file, maxBytes) => {
  checkStart(file, 'JPEG', ['\xff\xd8\xff']);
  const { Transformer } = await loaded('@napi-rs/image', () => import('@napi-rs/image'));
  const image = new Transformer(new Uint8Array(file.read(0, file.sizeBytes)));
  const { width, height } = await image.metadata(false);
  if (width * height * 3 > maxBytes)
    throw new FormatError(`its ${width}×${height} pixels take more than the allowed ${maxBytes} bytes`);
  const data = await image.rawPixels();
  const channels = data.byteLength / (width * height);
  if (channels !== 1 && channels !== 3) throw new FormatError('its colours are of an unknown kind');
  return {
    tensors: [{ tensor: { dtype: 'uint8', shape: channels === 1 ? [height, width] : [height, width, 3], data } }],
  };
};
