import type { ChainBreak } from './hash-chain.ts';
import { type AuditStore, type SavedChainHead, type VerifiedChain, verifyChains } from './verify-chains.ts';

/** Where a command on the audit log writes. */
export interface ChainOutput {
  /** Progress and findings. */
  say(line: string): void;
  /** The head of an intact chain as a line of JSON, to keep where accounts of the database cannot write. */
  printHead(line: string): void;
}

/** Verifies the chain of a merchant, or every chain, and writes what each was found to be. Returns whether all are intact. */
export async function reportChains(
  store: AuditStore,
  query: { readonly tenantId: string | null; readonly kept: readonly SavedChainHead[] },
  output: ChainOutput,
): Promise<boolean> {
  let broken = 0;
  for await (const chain of verifyChains(store, query)) {
    if (!reportChain(chain, output)) broken += 1;
  }
  output.say(broken === 0 ? 'Every chain is intact.' : `${broken} broken.`);
  return broken === 0;
}

function reportChain({ tenantId, name, outcome }: VerifiedChain, { say, printHead }: ChainOutput): boolean {
  if (outcome.kind === 'broken') {
    say(`BROKEN  ${name} (${tenantId}), entry ${outcome.position}: ${sentenceOf(outcome.why)}`);
    return false;
  }
  if (outcome.count > 0 && !outcome.isKeyed) {
    say(
      `BROKEN  ${name} (${tenantId}): no entry is keyed. Run npm run admin -- audit key once after upgrading; later, it was rewritten.`,
    );
    return false;
  }
  say(`intact  ${name} (${tenantId}), ${outcome.count} entries`);
  printHead(JSON.stringify({ tenantId, ...outcome.head }));
  return true;
}

function sentenceOf(why: ChainBreak): string {
  switch (why) {
    case 'changed':
      return 'its fields do not match its hash';
    case 'missing':
      return 'it is missing';
    case 'not_continued':
      return 'it does not continue the entry before it';
    case 'cut_off':
      return 'it and all after it were cut off the end';
    case 'past_head':
      return 'it lies past the recorded head';
    case 'not_as_kept':
      return 'its hash differs from the head that was kept';
    case 'unkeyed':
      return 'it has no key, though entries before it have one';
    case 'unknown_key':
      return 'its key is not in the key rings';
    case 'head_forged':
      return 'the recorded head was not sealed with the key';
    default:
      return why satisfies never;
  }
}
