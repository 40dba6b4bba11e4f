/** Kinds of files that gateways take as evidence, with how a file of each begins. */
const KINDS: readonly { readonly mediaType: string; readonly extension: string; readonly begins: readonly number[] }[] = [
  { mediaType: 'application/pdf', extension: 'pdf', begins: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { mediaType: 'image/png', extension: 'png', begins: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { mediaType: 'image/jpeg', extension: 'jpg', begins: [0xff, 0xd8, 0xff] },
];

/** Bounds of evidence. */
export const EVIDENCE_LIMITS = { bytesMax: 5 * 1_048_576, filesMax: 10, nameMax: 100 } as const;

/** A file that may be evidence, or why not. */
export type ReadEvidence =
  | { readonly kind: 'evidence'; readonly fileName: string; readonly mediaType: string }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Checks a file by its content: its name and what a browser calls it prove nothing. The name is kept without what addresses and headers
 * give a meaning.
 */
export function readEvidence(fileName: string, content: Uint8Array): ReadEvidence {
  if (content.length === 0) return { kind: 'refused', why: 'The file is empty.' };
  if (content.length > EVIDENCE_LIMITS.bytesMax) return { kind: 'refused', why: 'The file is larger than 5 MB.' };
  const kind = KINDS.find(({ begins }) => begins.every((byte, at) => content[at] === byte));
  if (kind === undefined) return { kind: 'refused', why: 'Choose a PDF, PNG or JPEG file.' };
  const stem = fileName
    .replace(/\.[A-Za-z]{1,5}$/, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N} ._-]/gu, '_')
    .slice(0, EVIDENCE_LIMITS.nameMax);
  return { kind: 'evidence', fileName: `${stem === '' ? 'evidence' : stem}.${kind.extension}`, mediaType: kind.mediaType };
}
