type ArchiveKind = 'zip' | 'gzip' | 'tar';

/** Which kind of archive a file is by its first bytes. Office documents are zip archives as well. */
export function archiveOf(bytes: Uint8Array): ArchiveKind | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 512));
  if (start.length >= 4 && start.readUInt32LE(0) === 0x04034b50) return 'zip';
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip';
  return start.toString('latin1', 257, 262) === 'ustar' ? 'tar' : undefined;
}
