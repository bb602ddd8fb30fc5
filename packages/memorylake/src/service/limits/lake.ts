import type { MemoryLakeService } from '../../service.ts';
import type { Folders } from '../folders/folders.ts';
import type { Notes } from '../remember/notes.ts';
import type { CodeRuns } from '../results/code-runs.ts';
import type { ResultFiles } from '../results/result-files.ts';
import type { Versions } from '../versions/versions.ts';

/**
 * What tools, resources, prompts and routes can do with a lake. A caller's limit is enforced by another implementation of this, so
 * what is added here has to be limited there, or it does not compile.
 */
export interface Lake
  extends Pick<
    MemoryLakeService,
    | 'addGiven'
    | 'remove'
    | 'overview'
    | 'list'
    | 'statusOf'
    | 'hasVectorsPending'
    | 'fetch'
    | 'search'
    | 'collections'
    | 'describeCollection'
    | 'update'
    | 'read'
    | 'getMemory'
    | 'similarTo'
    | 'drawPage'
    | 'queryTables'
    | 'chart'
    | 'link'
    | 'checkLink'
    | 'fileBehind'
    | 'bytesOf'
  > {
  readonly notes: Pick<Notes, 'remember' | 'supersede' | 'forget' | 'changesOf'>;
  readonly versions: Pick<Versions, 'list' | 'diff'>;
  readonly code: Pick<CodeRuns, 'create' | 'run' | 'close'>;
  readonly results: Pick<ResultFiles, 'get' | 'bytes'>;
  readonly folders: Pick<Folders, 'status'> | undefined;
}
