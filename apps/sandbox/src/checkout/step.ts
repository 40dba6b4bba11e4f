import type { Challenge, Charge } from '../ledger/records.ts';
import { type Html, html } from '../pages/html.ts';
import type { TestCard } from '../simulator.ts';
import type { FieldErrors } from './moves.ts';

/** The step between a card and its outcome: PIN, one-time code, the bank's own page, or a billing address. */
export function stepView(
  at: string,
  step: Challenge,
  charge: Charge,
  card: TestCard | null,
  money: string,
  errors: FieldErrors,
): Html {
  return html`<div class="step">
${errors.page === undefined ? null : html`<p class="note bad" role="alert">${errors.page}</p>`}
${question(at, step, charge, card, money, errors)}
<form class="leave" method="post" action="${at}/give-up"><button class="plain">Pay another way</button></form>
</div>`;
}

function question(at: string, step: Challenge, charge: Charge, card: TestCard | null, money: string, errors: FieldErrors): Html {
  const last4 = charge.card?.last4 ?? '';
  switch (step) {
    case 'pin':
      return ask(
        at,
        'pin',
        'PIN',
        'Enter your card PIN',
        `Card ending in ${last4}. The test PIN is ${card?.pin ?? '1234'}.`,
        true,
        errors,
      );
    case 'otp':
      return ask(at, 'otp', 'OTP', 'Enter the code you were sent', `The test OTP is ${card?.otp ?? '123456'}.`, true, errors);
    case 'address':
      return ask(at, 'address', 'Billing address', 'Confirm your billing address', 'Any address will do.', false, errors);
    case 'bank':
      return html`<h1>Your bank asks you to approve</h1>
<p class="quiet">${money} with the card ending in ${last4}. This stands in for the bank's own page.</p>
<form class="choices" method="post" action="${at}/step">
  <button class="primary" name="decision" value="approve">Approve at the bank</button>
  <button name="decision" value="decline">Decline at the bank</button>
</form>`;
    default:
      return step satisfies never;
  }
}

function ask(at: string, name: string, label: string, heading: string, hint: string, digits: boolean, errors: FieldErrors): Html {
  const error = errors[name];
  return html`<h1>${heading}</h1><p class="quiet">${hint}</p>
<form class="fields" method="post" action="${at}/step" novalidate autocomplete="off">
  <div class="wide">
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" ${error === undefined ? html`autofocus` : null} autocomplete="off" ${digits ? html`inputmode="numeric" maxlength="8"` : null} ${error === undefined ? null : html`aria-invalid="true" aria-describedby="${name}-wrong"`}>
    ${error === undefined ? null : html`<p class="wrong" id="${name}-wrong">${error}</p>`}
  </div>
  <button class="primary">Continue</button>
</form>`;
}
