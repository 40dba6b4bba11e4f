'use client';

import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Moment } from '#/components/time/moment.tsx';
import { FindingLink } from '#/incidents/finding-link.tsx';
import { IncidentLink } from '#/incidents/incident-link.tsx';
import { SEVERITY_LABELS } from '#/incidents/severity.ts';
import type { Finding } from '#/incidents/use-attention.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import classes from './attention.module.css';

/** Items shown at first, so that the day's chart is not far below; a few more are shown at once. */
const SHOWN = 6;
const A_FEW = 2;

/** Findings that need attention, the most severe first, each with a link to it, or a line that there is nothing. */
export function Attention({
  attention,
  health,
  failed,
}: {
  attention: RouterOutputs['attention']['list'] | undefined;
  health: RouterOutputs['system']['health'] | undefined;
  failed: boolean;
}) {
  const [all, setAll] = useState(false);
  const troubles = troublesOf(health, failed, attention?.incomplete === true);
  if (attention === undefined && troubles.length === 0) {
    return <div className="h-24 rounded-md bg-ground-hover" role="status" aria-label="Loading what needs attention" />;
  }
  const items = attention?.items ?? [];
  const shown = all || items.length <= SHOWN + A_FEW ? items : items.slice(0, SHOWN);
  return (
    <section aria-labelledby="needs-attention">
      <h2 className="flex items-center gap-2 mb-2 text-lg font-semibold" id="needs-attention">
        Needs attention {items.length > 0 && <span className="text-ink-faint text-sm font-normal">{items.length}</span>}
      </h2>
      <ul className="border-t border-line">
        {troubles.map((trouble) => (
          <li key={trouble} className={classes.item} data-tone="bad">
            <IconAlertTriangle size={16} stroke={1.8} className={classes.glyph} aria-hidden="true" />
            <span className={classes.description}>{trouble}</span>
          </li>
        ))}
        {shown.map((finding) => (
          <AttentionLine key={finding.key} finding={finding} />
        ))}
        {items.length + troubles.length === 0 && (
          <li className={classes.item} data-tone="good">
            <IconCheck size={16} stroke={2} className={classes.glyph} aria-hidden="true" />
            <span className={classes.description}>Nothing needs attention</span>
          </li>
        )}
      </ul>
      {shown.length < items.length && (
        <button type="button" className="mt-2 py-1 text-accent-ink text-sm hover:underline" onClick={() => setAll(true)}>
          Show the other {items.length - shown.length}
        </button>
      )}
    </section>
  );
}

function AttentionLine({ finding }: { finding: Finding }) {
  const scope = useScope();
  const { severity, why, merchantName, since } = finding;
  const { word, tone } = SEVERITY_LABELS[severity];
  return (
    <li className={classes.item} data-tone={tone}>
      <IconAlertTriangle size={16} stroke={1.8} className={classes.glyph} role="img" aria-label={word} />
      <span className={classes.description}>
        <strong>
          <IncidentLink incident={finding} />
        </strong>{' '}
        {why}
        <span className="ml-2 text-ink-faint text-xs">
          {scope.merchantId === null && merchantName !== null && `${merchantName}, `}
          {since !== null && <Moment value={since} className="whitespace-nowrap" />}
        </span>
      </span>
      <FindingLink finding={finding} className="flex-none text-accent-ink text-sm no-underline hover:underline max-tablet:ml-7" />
    </li>
  );
}

function troublesOf(health: RouterOutputs['system']['health'] | undefined, failed: boolean, incomplete: boolean): string[] {
  return [
    ...(failed ? ['The server does not answer; the figures may be out of date.'] : []),
    ...(health?.database.up === false ? ['The database does not answer.'] : []),
    ...(health?.configuration.current === false ? ['Configuration has not been refreshed for more than 5 s.'] : []),
    ...(incomplete ? ['Some checks failed; this list may be incomplete.'] : []),
  ];
}
