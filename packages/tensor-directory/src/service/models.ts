import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import type { TensorSource } from '@atoll-mcp/formats/dtypes';
import type { Backends, ItemFilter, ModelItem, StoredValues } from '../backends/interface.ts';
import { isoMicros, type Micros } from '../domain/dates.ts';
import { codeAsMeant, definesPredict } from '../domain/models/model-code.ts';
import { customOperatorsText } from '../domain/onnx/expected-inputs.ts';
import { PackedList } from '../domain/packed/packed-list.ts';
import { ListFault, readNestedList } from '../domain/values/nested-list.ts';
import { codeTooLong, importRefused, invalidOnnx, invalidWeights, nothingToUpload } from '../errors.ts';
import type { Language, ModelLanguage } from '../schemas.ts';
import { find, nameFrom, remove, update, versions } from './items.ts';
import { type ReadModel, readModelFile, readSentModel } from './onnx-files.ts';
import type { Limits } from './tensors.ts';

/** The sandbox takes no more. */
const MAX_CODE_BYTES = 256 * 1024;

export interface ModelUpload {
  readonly name: string;
  readonly description: string;
  readonly weights?: unknown;
  readonly code?: string | undefined;
  readonly language: Language;
  /** An ONNX file in base64. */
  readonly onnx?: string | undefined;
}

export interface ModelImport {
  readonly path: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

interface NewModel {
  readonly name: string;
  readonly description: string;
  readonly language: ModelLanguage;
  readonly code?: string | undefined;
  readonly tensor?: TensorSource | undefined;
  readonly onnx?: ReadModel;
}

export class Models {
  readonly #backends: Backends;
  readonly #clock: () => Micros;
  readonly #limits: Limits;

  constructor(backends: Backends, clock: () => Micros, limits: Limits) {
    this.#backends = backends;
    this.#clock = clock;
    this.#limits = limits;
  }

  async upload(upload: ModelUpload): Promise<{ model: ModelItem; warning?: string }> {
    const name = nameFrom(upload.name, 'name');
    if (upload.onnx !== undefined) return this.#uploadOnnx(name, upload);
    const hasCode = upload.code !== undefined && upload.code.trim() !== '';
    if (!hasCode && (upload.weights === undefined || upload.weights === null)) throw nothingToUpload();
    if (hasCode && Buffer.byteLength(upload.code!) > MAX_CODE_BYTES) throw codeTooLong(name, MAX_CODE_BYTES);
    const code = hasCode ? codeAsMeant(upload.code!, upload.language) : undefined;
    const tensor = this.#weights(name, upload.weights);
    const { description, language } = upload;
    const model = await this.#add({ name, description, language, code, tensor });
    const isRunnable = code === undefined || definesPredict(code, upload.language);
    return isRunnable ? { model } : { model, warning: missingPredict(upload.language, code) };
  }

  /** An ONNX file of an import folder, with the files beside it that it has values in. */
  async import({ path, name, description }: ModelImport): Promise<{ model: ModelItem; warning?: string }> {
    if (extname(path).toLowerCase() !== '.onnx')
      throw importRefused(path, 'only .onnx files can be imported as models');
    const { fileName, ...onnx } = await readModelFile(path, this.#backends.files, this.#limits);
    return this.#addOnnx({
      name: name === undefined ? fileName.slice(0, -'.onnx'.length) : nameFrom(name, 'name'),
      description: description ?? `Imported from ${fileName}`,
      onnx,
    });
  }

  async remove(given: string): Promise<ModelItem> {
    const removed = await remove(this.#backends.models, 'model', given);
    const file = removed.weights ?? removed.onnx?.file;
    if (file) await this.#backends.values.release(file);
    return removed;
  }

  update(given: string, updates: Readonly<Record<string, unknown>>) {
    return update(this.#backends.models, 'model', given, updates);
  }

  list(filter: ItemFilter, page: { offset: number; limit: number }) {
    return this.#backends.models.list(filter, page);
  }

  find(given: string): Promise<ModelItem | undefined> {
    return find(this.#backends.models, given);
  }

  versions(given: string): Promise<readonly ModelItem[]> {
    return versions(this.#backends.models, 'model', given);
  }

  #weights(name: string, weights: unknown): TensorSource | undefined {
    if (weights === undefined || weights === null) return undefined;
    if (!Array.isArray(weights) && !(weights instanceof PackedList)) throw invalidWeights(name, 'it must be a list');
    try {
      return readNestedList(weights, { field: 'model_weights', maxBytes: this.#limits.maxTensorBytes });
    } catch (error) {
      throw error instanceof ListFault ? invalidWeights(name, error.message, error) : error;
    }
  }

  #uploadOnnx(name: string, { onnx, code, weights, description }: ModelUpload) {
    if (code || (weights !== undefined && weights !== null))
      throw invalidOnnx(name, 'an ONNX model has its code and weights in it; leave model_code and model_weights out');
    return this.#addOnnx({ name, description, onnx: readSentModel(name, onnx!, this.#limits) });
  }

  async #addOnnx(upload: { name: string; description: string; onnx: ReadModel }) {
    const model = await this.#add({ ...upload, language: 'onnx' });
    const { customOperators } = upload.onnx.facts;
    return customOperators.length === 0 ? { model } : { model, warning: customOperatorsText(customOperators) };
  }

  async #add({ name, description, language, code, tensor, onnx }: NewModel): Promise<ModelItem> {
    for (;;) {
      const file = onnx && (await this.#backends.values.putFile(onnx.pieces, 'onnx'));
      const weights: StoredValues | undefined = tensor && (await this.#backends.values.put(tensor));
      const item = {
        uuid: randomUUID(),
        name,
        description,
        createdAt: isoMicros(this.#clock()),
        language,
        ...(code !== undefined && { code }),
        ...(weights && { weights }),
        ...(onnx && file && { onnx: { ...onnx.facts, file } }),
      };
      const added = await this.#backends.models.add([{ item }]);
      if (added) return added[0]!;
    }
  }
}

function missingPredict(language: Language, code: string): string {
  const other = language === 'python' ? 'javascript' : 'python';
  if (definesPredict(code, other))
    return `model_code is read as ${language} and seems to be ${other}: set "language" to "${other}". As it is, the model cannot be run.`;
  return language === 'python'
    ? "model_code defines no 'predict(input_tensors_dict)', so the model cannot be run."
    : "model_code defines no 'predict(inputs)', so the model cannot be run.";
}
