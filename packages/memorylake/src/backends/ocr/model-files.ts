import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const DETECTION_FILE = 'PP-OCRv6_det_small.onnx';
export const RECOGNITION_FILE = 'PP-OCRv6_rec_small.onnx';

/** The models of PP-OCRv6 with their licences, as a Python wheel brings them. */
export const ocrModels = {
  name: 'PP-OCRv6 small',
  sizeBytes: 27_288_134,
  source: {
    kind: 'pypi',
    package: 'rapidocr',
    version: '3.10.0',
    sha256: '2fc34e26cd0f48514804a94f8832283039c7334076bff60768b1fed9ad068050',
  },
  files: [
    {
      name: DETECTION_FILE,
      path: `rapidocr/models/${DETECTION_FILE}`,
      sha256: '090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f',
    },
    {
      name: RECOGNITION_FILE,
      path: `rapidocr/models/${RECOGNITION_FILE}`,
      sha256: '6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884',
    },
    { name: 'LICENSE', path: 'rapidocr-3.10.0.dist-info/licenses/LICENSE' },
    { name: 'MODEL_LICENSES.md', path: 'rapidocr-3.10.0.dist-info/licenses/MODEL_LICENSES.md' },
  ],
} as const;

/** When an optional package was left out of the installation. */
export const LACKS_PACKAGE =
  'Text recognition lacks a package. Run once: npm install paddleocr @napi-rs/image. Then add it again';

export const isMissingPackage = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';

export const ocrFolder = (dataDir: string): string => join(dataDir, 'ocr');

export const hasOcrModels = (folder: string): boolean => existsSync(join(folder, RECOGNITION_FILE));
