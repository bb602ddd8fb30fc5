/** What a document may make Atoll send: no request beside the API that it describes, and none inside another. */

const MAX_PATH_CHARS = 2_000;
const SLASH = '(?:[/\\\\]|%2f|%5c)';
const DOT_SEGMENT = new RegExp(`(?:^|${SLASH})(?:\\.|%2e){1,2}(?:${SLASH}|$)`, 'i');

/** Whether a path has a segment `.` or `..`, also one behind encoded slashes, which some servers decode first. */
export function hasDotSegment(path: string): boolean {
  return DOT_SEGMENT.test(path) || DOT_SEGMENT.test(path.replaceAll(/%25/g, '%'));
}

/** Whether a path of a document stays below the address of its API. */
export function isPlainPath(path: string): boolean {
  return path.startsWith('/') && path.length <= MAX_PATH_CHARS && !/[\\\p{Cc}]/u.test(path) && !hasDotSegment(path);
}

/** These decide where a request goes, where it ends, or what its connection does. */
const OF_THE_CONNECTION = new Set(
  'connection,content-length,expect,host,keep-alive,proxy-connection,te,trailer,transfer-encoding,upgrade'.split(','),
);

/** Whether a document may name this header as a parameter or for a key. */
export function isSendableHeader(name: string): boolean {
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && !OF_THE_CONNECTION.has(name.toLowerCase());
}
