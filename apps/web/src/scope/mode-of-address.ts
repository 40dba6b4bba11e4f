import { MODES, type Mode } from './scope.ts';

/** Pages whose URL holds the mode they show. A payment's page shows the payment's mode: {@link paymentWithoutMode}. */
const SCOPED =
  /^\/(?:overview|payments|refunds(?:\/bulk)?|disputes|reconciliation|settlements(?:\/(?:bank|files|rules))?|fees|journal|month-close(?:\/[^/]+)?|reports(?:\/scheduled)?|routing(?:\/history|\/import|\/canary|\/earned|\/drafts\/[^/]+)?|health(?:\/thresholds)?|gateways(?:\/error-codes)?|merchants(?:\/[^/]+)?|keys|webhooks(?:\/endpoints\/[^/]+)?|team|audit|privacy|account|developers(?:\/(?:graphql|requests|tokens|switch-over))?|alerts(?:\/channels)?)$/;

/**
 * The mode that the address of a page lacks: the one last chosen, or test. Null where it names one, or needs none.
 *
 * An address is completed before anything is drawn: once a page has begun to arrive, it could be led elsewhere only by its script.
 */
export function missingMode(pathname: string, mode: string | null, lastChosen: string | undefined): Mode | null {
  if (!SCOPED.test(pathname) || MODES.some((known) => known === mode)) return null;
  return lastChosen === 'live' ? 'live' : 'test';
}

const PAYMENT = /^\/payments\/([^/]+)$/;

/** The payment whose address names no mode, which is then looked up; null for any other address. */
export function paymentWithoutMode(pathname: string, mode: string | null): string | null {
  return MODES.some((known) => known === mode) ? null : (PAYMENT.exec(pathname)?.[1] ?? null);
}
