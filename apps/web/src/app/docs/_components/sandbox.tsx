import { Fragment } from 'react';
import { SAMPLE_URL, SANDBOX_SAMPLE_URL } from '../_content/samples/languages.ts';
import sandbox from '../_content/sandbox.json';
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

/** Address of the sandbox that runs beside this installation; null where there is none. */
function sandboxUrl(): string | null {
  return process.env.SWITCHYARD_SANDBOX_URL || null;
}

/** Text with the addresses of this installation, at `base`, and of its sandbox in place of the ones that samples are written with. */
export function installationText(text: string, base: string): string {
  return text.replaceAll(SAMPLE_URL, base).replaceAll(SANDBOX_SAMPLE_URL, sandboxUrl() ?? '$SANDBOX_URL');
}
