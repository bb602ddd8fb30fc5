import type { Contract } from '@atoll-mcp/core';
import manifest from '../package.json' with { type: 'json' };
import { successField } from './envelope.ts';
import { internal, invalidInput } from './errors.ts';
import { model } from './resources/model.ts';
import { plotView } from './resources/plot-view.ts';
import { tensor, tensorData } from './resources/tensor.ts';
import type { TensorDirectoryService } from './service.ts';
import { checkTensors } from './tools/check-tensors.ts';
import { compareCheckpoints } from './tools/compare-checkpoints.ts';
import { compareTensors } from './tools/compare-tensors.ts';
import { deleteModel } from './tools/delete-model.ts';
import { deleteTensor } from './tools/delete-tensor.ts';
import { describeTensor } from './tools/describe-tensor.ts';
import { exportTensor } from './tools/export-tensor.ts';
import { getModel } from './tools/get-model.ts';
import { getTensor } from './tools/get-tensor.ts';
import { importModel } from './tools/import-model.ts';
import { importTensors } from './tools/import-tensors.ts';
import { listModels } from './tools/list-models.ts';
import { listTensors } from './tools/list-tensors.ts';
import { listVersions } from './tools/list-versions.ts';
import { plotTensor } from './tools/plot-tensor.ts';
import { queryTensorDirectory } from './tools/query-tensor-directory.ts';
import { runModel } from './tools/run-model.ts';
import { searchSimilar } from './tools/search-similar.ts';
import { searchTensors } from './tools/search-tensors.ts';
import { transformTensor } from './tools/transform-tensor.ts';
import { updateModelMetadata } from './tools/update-model-metadata.ts';
import { updateTensorMetadata } from './tools/update-tensor-metadata.ts';
import { uploadModel } from './tools/upload-model.ts';
import { uploadTensor } from './tools/upload-tensor.ts';

export const contract = {
  name: 'tensor-directory',
  title: 'Tensor Directory',
  version: manifest.version,
  description: manifest.description,
  instructions:
    'Stores tensors and models by name. Upload with upload_tensor, upload_model, import_tensors or import_model (ONNX); find with list_tensors, search_tensors or plain words in ' +
    'query_tensor_directory; look with describe_tensor, get_tensor (slices) and plot_tensor; run models with run_model; slice, combine and compute with transform_tensor; compare with compare_tensors and compare_checkpoints; find NaN and other faults with check_tensors; find rows like another with search_similar. A second upload under a name is a new ' +
    'version: name means the newest, name@2 the second. Changes answer with success; failures are {success: false, message}, those of uploads {error}.',
  envelope: successField,
  failures: { invalidInput, internal },
  acceptArguments,
  tools: [
    uploadTensor,
    uploadModel,
    queryTensorDirectory,
    listTensors,
    listModels,
    deleteTensor,
    deleteModel,
    updateTensorMetadata,
    updateModelMetadata,
    getTensor,
    describeTensor,
    plotTensor,
    searchTensors,
    listVersions,
    getModel,
    runModel,
    importTensors,
    importModel,
    exportTensor,
    compareTensors,
    compareCheckpoints,
    checkTensors,
    transformTensor,
    searchSimilar,
  ],
  resources: [tensor, tensorData, model, plotView],
} satisfies Contract<TensorDirectoryService>;

/** Clients of the original wrap all arguments in one object named `args`. */
function acceptArguments(given: unknown): unknown {
  if (given === null || typeof given !== 'object' || Object.keys(given).length !== 1) return given;
  const { args } = given as { args?: unknown };
  return args !== null && typeof args === 'object' && !Array.isArray(args) ? args : given;
}
