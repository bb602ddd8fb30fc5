import { useCallback, useState } from 'preact/hooks';
import { admin } from './admin.ts';
import { useAction, useAdmin } from './hooks.ts';
import type { Progress } from './mcp.ts';
import { t } from './texts.ts';

export interface ModelChoice {
  readonly name: string;
  readonly kind: 'embedding' | 'reranker';
  readonly installed: boolean;
  readonly active: boolean;
  readonly languages: readonly string[];
  readonly dimensions: number;
  readonly licence: string;
  readonly source: string;
  readonly size_bytes: number;
}

export interface Setup {
  readonly python: {
    readonly state: 'ready' | 'missing' | 'installing' | 'unavailable';
    readonly version?: string;
    readonly percent?: number;
    readonly step?: string;
  };
  /** Text recognition in scans and pictures. */
  readonly ocr: { readonly installed: boolean; readonly size_bytes: number };
  readonly models: readonly ModelChoice[];
}

/** What can be installed, and installing it with progress. */
export function useSetup() {
  const setup = useAdmin<Setup>('setup', {}, [], { keepsValue: true });
  const [progress, setProgress] = useState<{ what: string } & Partial<Progress>>();
  const [asked, setAsked] = useState('');
  const act = useCallback(
    async (signal: AbortSignal, what: string) => {
      setAsked(what);
      setProgress({ what });
      try {
        await admin('install', { what }, { signal, onProgress: (now) => setProgress({ what, ...now }) });
      } finally {
        setProgress(undefined);
        setup.reload();
      }
    },
    [setup.reload],
  );
  const install = useAction(act);
  const choose = useCallback(
    async (signal: AbortSignal, name: string) => {
      await admin('use_model', { name }, { signal });
      setup.reload();
      return name;
    },
    [setup.reload],
  );
  return { setup, install, asked, progress, use: useAction(choose) };
}

export const isMultilingual = ({ languages }: ModelChoice) => languages[0] === '*' || languages.length > 3;

export function languagesOf({ languages }: ModelChoice): string {
  if (languages[0] === '*') return t('about 100 languages');
  return languages.length > 3 ? t('{languages} languages', { languages: languages.length }) : languages.join(', ');
}
