import { HEALTH_LABELS, HEALTH_STATES, type HealthState } from '#/copy/health.ts';

/** The marks as the strip draws them. */
const MARKS = {
  healthy: 'h-0.5 bg-good',
  degraded: 'h-1.25 bg-wait',
  probing: 'h-1.25 bg-accent',
  down: 'h-2 bg-bad',
} satisfies Record<HealthState, string>;
const FOR_OTHERS = '[mask-image:repeating-linear-gradient(115deg,#000_0_3px,transparent_3px_5px)]';

/** Legend of the marks of a state strip. */
export function StripLegend() {
  return (
    <ul
      className="flex flex-wrap gap-x-4 gap-y-1 mb-4 text-ink-quiet text-xs [&_li]:flex [&_li]:items-center [&_li]:gap-1.5"
      aria-label="Legend"
    >
      <li>
        <span
          className="w-1.5 h-3 bg-over opacity-55 data-[kind=failed]:bg-bad data-[kind=failed]:opacity-100"
          data-kind="answered"
          aria-hidden="true"
        />{' '}
        Checkouts opened
      </li>
      <li>
        <span
          className="w-1.5 h-3 bg-over opacity-55 data-[kind=failed]:bg-bad data-[kind=failed]:opacity-100"
          data-kind="failed"
          aria-hidden="true"
        />{' '}
        Failed
      </li>
      {HEALTH_STATES.map((state) => (
        <li key={state} title={HEALTH_LABELS[state].meaning}>
          <span className={`w-3.5 [print-color-adjust:exact] ${MARKS[state]}`} aria-hidden="true" /> {HEALTH_LABELS[state].word}
        </li>
      ))}
      <li title="Checkouts of other merchants fail at the gateway, and this account opened none since">
        <span className={`w-3.5 [print-color-adjust:exact] ${MARKS.down} ${FOR_OTHERS}`} aria-hidden="true" /> For others
      </li>
    </ul>
  );
}
