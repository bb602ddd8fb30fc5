import { open, rename, rm, stat } from 'node:fs/promises';
import { z } from 'zod';
import { ModelProblem } from '../model-problem.ts';
import { hashFile } from './file-hash.ts';

export interface HubOptions {
  /** Such as https://huggingface.co, or a mirror that speaks the same protocol. */
  readonly url: string;
  readonly token?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const MAX_REDIRECTS = 5;
const MAX_ATTEMPTS = 5;
const ANSWER_TIMEOUT_MS = 30_000;

const revisionSchema = z.object({
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  siblings: z.array(z.object({ rfilename: z.string() })).default([]),
});

/** The part of the Hugging Face hub that is needed to get files: what a revision holds, and the files themselves. */
export class HubClient {
  readonly #options: HubOptions;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /** The commit that a branch or tag stands for, and the paths of its files. */
  async revision(repository: string, revision: string): Promise<{ commit: string; paths: readonly string[] }> {
    const { response } = await this.#request(`/api/models/${repository}/revision/${encodeURIComponent(revision)}`);
    const body = revisionSchema.safeParse(await response.json().catch(() => undefined));
    if (!body.success) throw new ModelProblem(`${this.#host} did not answer as the hub does`, 'Check HF_ENDPOINT');
    return { commit: body.data.sha, paths: body.data.siblings.map(({ rfilename }) => rfilename) };
  }

  /** Gets a file of a repository. */
  async download(
    { repository, revision, path }: { repository: string; revision: string; path: string },
    target: string,
    onBytes: (done: number, total: number) => void,
  ): Promise<void> {
    await this.file(`${repository}/resolve/${revision}/${path}`, target, onBytes);
  }

  /** Gets what is at a path; what an interrupted download left behind is continued. */
  async file(path: string, target: string, onBytes: (done: number, total: number) => void): Promise<void> {
    const part = `${target}.part`;
    const url = `/${path.split('/').map(encodeURIComponent).join('/')}`;
    for (let attempt = 1; ; attempt++) {
      try {
        const linkedHash = await this.#downloadPart(url, part, onBytes);
        const found = await hashFile(part);
        if (linkedHash && found?.sha256 !== linkedHash) {
          await rm(part, { force: true });
          throw new ModelProblem(
            `${path} was downloaded damaged: its hash differs from the one that the hub lists`,
            'Pull again',
          );
        }
        return await rename(part, target);
      } catch (error) {
        if (error instanceof ModelProblem || this.#options.signal?.aborted) throw error;
        if (attempt < MAX_ATTEMPTS) continue;
        throw new ModelProblem(
          `The connection to ${this.#host} broke off ${attempt} times`,
          'Pull again: it goes on where it stopped',
          error,
        );
      }
    }
  }

  /** Appends what is missing; returns the file's SHA-256 where the hub names it, which it does for large files. */
  async #downloadPart(url: string, part: string, onBytes: (done: number, total: number) => void) {
    const have = (await stat(part).catch(() => undefined))?.size ?? 0;
    const { response, linkedHash } = await this.#request(url, have > 0 ? { range: `bytes=${have}-` } : {});
    if (response.status === 416) {
      // The part is as long as the file, or belongs to another one; its hash will tell.
      await response.body?.cancel();
      if (linkedHash && (await hashFile(part))?.sha256 === linkedHash) return linkedHash;
      await rm(part, { force: true });
      throw new Error('The part did not fit; starting again');
    }
    const isContinued = response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${have}-`);
    let done = isContinued ? have : 0;
    const total = done + Number(response.headers.get('content-length') ?? 0);
    if (!response.body) throw new Error('The answer has no body');
    const file = await open(part, isContinued ? 'a' : 'w');
    try {
      // Each piece is on disk before the next is read, so that what arrived is kept when the connection breaks off.
      for await (const chunk of response.body) {
        await file.write(chunk);
        done += chunk.length;
        onBytes(done, total);
      }
    } finally {
      await file.close();
    }
    if (total > 0 && done < total) throw new Error(`${done} of ${total} bytes arrived`);
    return linkedHash;
  }

  /** Follows redirects itself: the hash of a large file stands on the first answer, and the token stays with the hub. */
  async #request(path: string, headers: Record<string, string> = {}) {
    const hub = new URL(this.#options.url);
    let url = new URL(path, hub);
    let linkedHash: string | undefined;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await this.#fetch(url, hub, headers);
      const etag = response.headers.get('x-linked-etag')?.replaceAll('"', '');
      if (etag && /^[0-9a-f]{64}$/.test(etag)) linkedHash = etag;
      const location = response.headers.get('location');
      if (response.status < 300 || response.status === 416) return { response, linkedHash };
      await response.body?.cancel();
      if (response.status >= 400 || !location) throw this.#refusal(response.status, path);
      const next = new URL(location, url);
      if (url.protocol === 'https:' && next.protocol !== 'https:') {
        throw new ModelProblem(`${url.host} sent the download to an address without TLS`, 'Check HF_ENDPOINT');
      }
      url = next;
    }
    throw new ModelProblem(`${hub.host} redirects without an end`, 'Check HF_ENDPOINT');
  }

  async #fetch(url: URL, hub: URL, headers: Record<string, string>): Promise<Response> {
    const { token, signal } = this.#options;
    const answered = new AbortController();
    const timer = setTimeout(() => answered.abort(new Error('No answer in time')), ANSWER_TIMEOUT_MS);
    try {
      return await fetch(url, {
        redirect: 'manual',
        headers: { ...headers, ...(token && url.origin === hub.origin && { authorization: `Bearer ${token}` }) },
        signal: signal ? AbortSignal.any([signal, answered.signal]) : answered.signal,
      });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new ModelProblem(`${url.host} cannot be reached`, 'Check the connection, then pull again', cause);
    } finally {
      clearTimeout(timer);
    }
  }

  get #host(): string {
    return new URL(this.#options.url).host;
  }

  #refusal(status: number, path: string): ModelProblem {
    const what = path.replace(/^\/(api\/models\/)?/, '');
    if (status === 401 || status === 403) {
      return new ModelProblem(
        `${this.#host} requires a token with access to ${what}`,
        'Set HF_TOKEN to a token that may read it',
      );
    }
    if (status === 404) return new ModelProblem(`${this.#host} does not have ${what}`, 'Check its name and revision');
    return new ModelProblem(
      `${this.#host} answered with status ${status}`,
      'Try again later: it goes on where it stopped',
    );
  }
}
