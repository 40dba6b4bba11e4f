import { Fragment } from 'react';
import sandbox from '#/app/docs/_content/sandbox.json' with { type: 'json' };
import { sandboxUrl } from '#/app/docs/installation-text.ts';
import { TableOfRows } from './prose.tsx';

/** Where the sandbox of this installation is, in a sentence; or that there is none. */
export function SandboxAddress() {
  const sandbox = sandboxUrl();
  if (sandbox === null) {
    return (
      <>
        This installation runs no sandbox; <code>npm start</code> does on a machine of your own. <code>$SANDBOX_URL</code> stands
        for its address here.
      </>
    );
  }
  return (
    <>
      The sandbox of this installation is at <code>{sandbox}</code>.
    </>
  );
}

/** Cards that the checkout of each gateway of the sandbox takes. */
export function TestCards() {
  return sandbox.gateways.map(({ name, title, cards }) => (
    <Fragment key={name}>
      <h3 id={`cards-${name}`}>{title}</h3>
      <TableOfRows
        label={`Test cards of ${title}`}
        head={['Number', 'What happens', 'CVV', 'PIN, OTP']}
        rows={cards.map((card) => [
          <code key="number">{card.number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}</code>,
          card.name,
          card.cvv ?? 'any',
          [card.pin, card.otp].filter((each) => each !== null).join(', ') || '–',
        ])}
      />
    </Fragment>
  ));
}

/** Faults that a gateway of the sandbox can be given. */
export function Faults() {
  return (
    <TableOfRows
      label="Faults of a gateway"
      head={['kind', 'What the gateway does']}
      rows={sandbox.faults.map(({ kind, does }) => [<code key="kind">{kind}</code>, does])}
    />
  );
}
