import { counted, shareText } from '../rules/copy.ts';
import type { ShadowReport } from './use-shadow.ts';

/** How a shadow run ended, as a sentence that names no time; null while it runs. */
export function describeShadowEnd({ ended }: Pick<ShadowReport, 'ended'>): string | null {
  switch (ended) {
    case null:
      return null;
    case 'TIME':
      return 'It ended at its set time.';
    case 'LIMIT':
      return 'It ended because it reached the most payments one run takes.';
    case 'STOPPED':
      return 'It was stopped.';
    case 'SAVED':
      return 'It stopped because the draft was changed.';
    case 'PUBLISHED':
      return 'It stopped because the draft was published.';
    case 'DISCARDED':
      return 'It stopped because the draft was discarded.';
    default:
      return ended satisfies never;
  }
}

/** `Of 1,204 payments, 87 (7.2%) would have gone to another account first.` */
export function describeShadowResult({ payments, moved }: Pick<ShadowReport['summary'], 'payments' | 'moved'>): string {
  if (payments === 0) return 'No payment has come in yet.';
  const share = shareText(moved, payments);
  const number = share === null ? moved.toLocaleString('en') : `${moved.toLocaleString('en')} (${share})`;
  return `Of ${counted(payments, 'payment')}, ${number} would have gone to another account first.`;
}
