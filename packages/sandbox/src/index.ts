export { examine, type Finding } from './doctor.ts';
export { SandboxError, type SandboxErrorCode } from './errors.ts';
export {
  type Capability,
  type CodeRuntime,
  type CodeSession,
  DTYPES,
  type Dtype,
  type EndReason,
  type Failure,
  type FailureKind,
  type FileGrants,
  type GrantedFile,
  type HostFunction,
  type Json,
  type Language,
  type Limits,
  type OutputFile,
  type Prediction,
  type PythonRuntimeOptions,
  type RefusedFile,
  type RunOptions,
  type RunResult,
  type RuntimeOptions,
  type SessionOptions,
  type SqlCell,
  type SqlOptions,
  type SqlResult,
  type SqlRunOptions,
  type SqlSession,
  type SqlTable,
  type SqlType,
  type SqlValue,
  type Tensor,
  type TensorInput,
  type Wall,
} from './interface.ts';
export { createJavaScriptRuntime } from './javascript/runtime.ts';
export { resolveLimits } from './limits.ts';
export { createPythonRuntime } from './python/runtime.ts';
export { defaultPythonDir } from './python/setup/places.ts';
export { readyPython, type SetupOptions, type SetupResult, setupPython } from './python/setup/setup.ts';
export { readSetupState, type SetupState } from './python/setup/setup-state.ts';
export { createSqlRuntime } from './sql/runtime.ts';
