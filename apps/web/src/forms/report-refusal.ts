import { showToast } from '#/components/toasts/toast-store.ts';
import { failureText } from './failure-text.ts';

/** Shows why something was refused or failed in a message: for a control that has no place of its own for it. */
export async function reportRefusal(doing: Promise<string | null>): Promise<void> {
  const refusal = await doing.catch(failureText);
  if (refusal !== null) showToast({ tone: 'bad', text: refusal });
}
