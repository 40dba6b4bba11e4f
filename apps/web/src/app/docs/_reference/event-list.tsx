import Link from 'next/link';
import { EventBody } from '../_components/code/recorded.tsx';
import type { EventDescription } from './api-document.ts';
import eventClasses from './event-list.module.css';
import classes from './reference.module.css';
import { WithCode } from './with-code.tsx';

/** The types of events that webhook endpoints receive, with a body that was sent. */
export function EventList({ events }: { events: readonly EventDescription[] }) {
  const [first] = events;
  return (
    <section id="events" className={classes.operation}>
      <div className="min-w-0">
        <h2 className="text-2xl font-semibold leading-[1.25] tracking-[-0.015em]">Webhook events</h2>
        <p className="max-w-[640px] mt-3 text-ink-quiet text-base leading-[1.6]">
          What <Link href="/docs/webhooks">webhook endpoints</Link> receive when something happens to a payment, and what{' '}
          <a href="#listEvents">List events</a> answers.
        </p>
        <dl className={eventClasses.events}>
          {events.map(({ type, description }) => (
            <div key={type}>
              <dt>
                <Link href={`/docs/webhooks#${type}`}>
                  <code>{type}</code>
                </Link>
              </dt>
              <dd>
                <WithCode text={description} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {first !== undefined && (
        <div className="grid grid-cols-1 gap-4 min-w-0 min-[1320px]:sticky min-[1320px]:top-19 min-[1320px]:self-start">
          <EventBody type={first.type} />
        </div>
      )}
    </section>
  );
}
