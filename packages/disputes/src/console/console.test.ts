import { expect, test } from 'vitest';
import { EVIDENCE_LIMITS, readEvidence } from './console.ts';

const pdf = new TextEncoder().encode('%PDF-1.7 receipt');

test('a file is what its content says, whatever it is called', () => {
  expect(readEvidence('receipt.png', pdf)).toEqual({ kind: 'evidence', fileName: 'receipt.pdf', mediaType: 'application/pdf' });
  expect(readEvidence('a.pdf', new Uint8Array([0xff, 0xd8, 0xff, 0xe0]))).toMatchObject({ mediaType: 'image/jpeg' });
  expect(readEvidence('a.pdf', new TextEncoder().encode('<script>'))).toMatchObject({ kind: 'refused' });
});

test('its name has nothing that a path, an address or a header gives a meaning', () => {
  expect(readEvidence('../../etc/"x"\r\n%00?.pdf', pdf)).toMatchObject({ fileName: '.._.._etc__x____00_.pdf' });
  expect(readEvidence('', pdf)).toMatchObject({ fileName: 'evidence.pdf' });
});

test('it is no larger than a gateway takes, and not empty', () => {
  const large = new Uint8Array(EVIDENCE_LIMITS.bytesMax + 1);
  large.set(pdf);
  expect(readEvidence('a.pdf', large)).toMatchObject({ kind: 'refused' });
  expect(readEvidence('a.pdf', new Uint8Array())).toMatchObject({ kind: 'refused' });
});
