import { showToast } from '#/components/toasts/toast-store.ts';
import { placeRefusal, refusalOf } from './problems.ts';
import type { Answer } from './use-form.ts';

const NONE_IN_SIGHT = new Set<string>();

/** Shows why something was refused or failed in a message: for a button that has no place of its own for it. */
export async function reportRefusal(doing: Promise<Answer>): Promise<void> {
  const refusal = await doing.catch(refusalOf);
  const text = refusal === null ? null : placeRefusal(refusal, NONE_IN_SIGHT).form;
  if (text !== null) showToast({ tone: 'bad', text });
}
