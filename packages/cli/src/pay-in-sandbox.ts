/** A test card, as a checkout of the sandbox offers it to programs. */
export interface SandboxCard {
  readonly number: string;
  readonly expiry: string;
  readonly cvv: string | null;
  /** Questions after the card. */
  readonly steps: readonly string[];
  readonly outcome: string;
  readonly refund: string;
}

const TIMEOUT_MS = 15_000;
const ANY_CVV = '123';
const SEE_OTHER = 303;

/**
 * Pays at a checkout of the sandbox as a customer would, with the first of its cards that is `wanted` and asks nothing more. False where
 * the page is not the sandbox's, or has no such card.
 */
export async function payInSandbox(checkoutUrl: string, wanted: (card: SandboxCard) => boolean): Promise<boolean> {
  const options = { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  const page = await fetch(checkoutUrl, { ...options, headers: { accept: 'application/json' } });
  const card = readCards(await page.text()).find((each) => each.steps.length === 0 && wanted(each));
  if (card === undefined) return false;
  const { number, expiry, cvv } = card;
  const body = new URLSearchParams({ number, expiry, cvv: cvv ?? ANY_CVV });
  const answer = await fetch(`${checkoutUrl}/card`, { ...options, method: 'POST', body });
  await answer.body?.cancel();
  return answer.status === SEE_OTHER;
}

/** None for a page of a gateway, which is not the sandbox's JSON. */
function readCards(text: string): readonly SandboxCard[] {
  try {
    const page: { sandboxCards?: readonly SandboxCard[] } | null = JSON.parse(text);
    return page?.sandboxCards ?? [];
  } catch {
    return [];
  }
}
