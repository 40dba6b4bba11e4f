/** Bytes as rows of text have them. */
export function bytea(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
