import { showToast } from '#/components/toasts/toast-store.ts';
import { failureText } from './failure-text.ts';
import type { Answer } from './use-form.ts';

interface Outcome {
  readonly kind: string;
}

/** The answer to each kind of outcome: null where it went through, a refusal where it did not. */
type Replies<Of extends Outcome> = {
  readonly [Kind in Of['kind']]: Answer | ((outcome: Extract<Of, { readonly kind: Kind }>) => Answer);
};

/** The answer to a submission by the kind of its outcome: each kind has one, so that none passes for a success unread. */
export function reply<Of extends Outcome>(outcome: Of, replies: NoInfer<Replies<Of>>): Answer {
  // The reply under a kind takes outcomes of this kind; the compiler does not relate the two.
  const to = replies[outcome.kind as Of['kind']] as Answer | ((outcome: Of) => Answer);
  return typeof to === 'function' ? to(outcome) : to;
}

/** The answer to a submission that went through: says so in a message. */
export function done(text: string): null {
  showToast({ text });
  return null;
}

/** Shows why something was refused or failed in a message: for a control that has no place of its own for it. */
export async function reportRefusal(doing: Promise<string | null>): Promise<void> {
  const refusal = await doing.catch(failureText);
  if (refusal !== null) showToast({ tone: 'bad', text: refusal });
}
