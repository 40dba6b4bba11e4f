import { hashAuditEntry, NIL_ID } from '@switchyard/db';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHAIN_START, type ChainedAuditEntry, type ChainPoint, checkChain, checkChainEnd } from './hash-chain.ts';

/** A valid chain, entry by entry. */
function chainOf(count: number): ChainedAuditEntry[] {
  const chain: ChainedAuditEntry[] = [];
  let previous: Uint8Array = CHAIN_START.hash;
  for (let position = 1; position <= count; position++) {
    const entry = {
      tenantId: NIL_ID,
      entryId: `e${position}`,
      position,
      actor: 'staff:ada',
      action: 'merchant.updated',
      objectType: 'merchant',
      objectId: 'm1',
      before: { name: `n${position - 1}` },
      after: { name: `n${position}` },
      createdAt: new Date(1_700_000_000_000 + position),
    };
    const hash = hashAuditEntry(entry, previous);
    chain.push({ ...entry, previous, hash });
    previous = hash;
  }
  return chain;
}

/** Verifies a chain in pages of a size. */
function check(entries: readonly ChainedAuditEntry[], head: ChainPoint | null, kept: ChainPoint | null = null, page = 3) {
  let at = CHAIN_START;
  for (let from = 0; from < entries.length; from += page) {
    const state = checkChain(at, entries.slice(from, from + page), kept);
    if (state.kind === 'broken') return state;
    at = state.to;
  }
  return checkChainEnd(at, head, kept);
}

const headOf = (chain: readonly ChainedAuditEntry[]): ChainPoint | null => chain.at(-1) ?? null;
const place = fc.nat({ max: 7 });
const CHAIN = chainOf(8);
const HEAD = headOf(CHAIN);

describe('a chain', () => {
  test('verifies unchanged, for any length and page size', () => {
    fc.assert(
      fc.property(fc.nat({ max: 12 }), fc.integer({ min: 1, max: 5 }), (count, page) => {
        const chain = chainOf(count);
        expect(check(chain, headOf(chain), null, page)).toMatchObject({ kind: 'holds', to: { position: count } });
      }),
    );
  });

  test('detects an edit of any field of any entry, at that entry', () => {
    const edits: ((entry: ChainedAuditEntry) => ChainedAuditEntry)[] = [
      (entry) => ({ ...entry, actor: 'staff:eve' }),
      (entry) => ({ ...entry, action: 'merchant.created' }),
      (entry) => ({ ...entry, objectId: 'm2' }),
      (entry) => ({ ...entry, objectType: 'payment' }),
      (entry) => ({ ...entry, entryId: 'other' }),
      (entry) => ({ ...entry, before: null }),
      (entry) => ({ ...entry, after: { name: 'another' } }),
      (entry) => ({ ...entry, createdAt: new Date(entry.createdAt.getTime() + 1) }),
      (entry) => ({ ...entry, tenantId: '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11' }),
    ];
    fc.assert(
      fc.property(place, fc.constantFrom(...edits), (at, edit) => {
        const chain = CHAIN.map((entry, index) => (index === at ? edit(entry) : entry));
        expect(check(chain, HEAD)).toEqual({ kind: 'broken', at: at + 1, why: 'changed' });
      }),
    );
  });

  test('detects an edit with a recomputed hash, at the next entry', () => {
    fc.assert(
      fc.property(fc.nat({ max: 6 }), (at) => {
        const chain = CHAIN.map((entry, index) => {
          if (index !== at) return entry;
          const edited = { ...entry, actor: 'staff:eve' };
          return { ...edited, hash: hashAuditEntry(edited, entry.previous) };
        });
        expect(check(chain, HEAD)).toEqual({ kind: 'broken', at: at + 2, why: 'not_continued' });
      }),
    );
  });

  test('detects a removed entry, at its position', () => {
    fc.assert(
      fc.property(fc.nat({ max: 6 }), (at) => {
        const chain = CHAIN.filter((_, index) => index !== at);
        expect(check(chain, HEAD)).toEqual({ kind: 'broken', at: at + 1, why: 'missing' });
      }),
    );
  });

  test('detects reordered entries, even with matching positions', () => {
    fc.assert(
      fc.property(place, place, (one, two) => {
        fc.pre(one !== two);
        const moved = [...CHAIN];
        const first = CHAIN[one];
        const second = CHAIN[two];
        if (first === undefined || second === undefined) throw new Error('no such entry');
        moved[one] = second;
        moved[two] = first;
        expect(check(moved, HEAD).kind).toBe('broken');
        const fitted = moved.map((entry, index) => ({ ...entry, position: index + 1 }));
        expect(check(fitted, HEAD)).toMatchObject({ kind: 'broken', at: Math.min(one, two) + 1 });
      }),
    );
  });

  test('detects a truncated end, by the recorded head and by a kept one', () => {
    fc.assert(
      fc.property(fc.nat({ max: 7 }), (length) => {
        const cut = CHAIN.slice(0, length);
        expect(check(cut, HEAD)).toEqual({ kind: 'broken', at: length + 1, why: 'cut_off' });
        expect(check(cut, headOf(cut), HEAD)).toEqual({ kind: 'broken', at: length + 1, why: 'cut_off' });
      }),
    );
  });

  test('detects entries past the recorded head', () => {
    const head = headOf(CHAIN.slice(0, 5));
    expect(check(CHAIN, head)).toEqual({ kind: 'broken', at: 6, why: 'past_head' });
  });

  test('is detected as rewritten by a kept head', () => {
    const kept = CHAIN[3] ?? CHAIN_START;
    let previous: Uint8Array = CHAIN_START.hash;
    const rewritten = CHAIN.map((entry, index) => {
      const fields = { ...entry, ...(index === 1 && { actor: 'staff:eve' }), previous };
      const hash = hashAuditEntry(fields, previous);
      previous = hash;
      return { ...fields, hash };
    });
    expect(check(rewritten, headOf(rewritten))).toMatchObject({ kind: 'holds' });
    expect(check(rewritten, headOf(rewritten), kept)).toEqual({ kind: 'broken', at: 4, why: 'not_as_kept' });
    expect(check(CHAIN, HEAD, kept)).toMatchObject({ kind: 'holds' });
  });
});
