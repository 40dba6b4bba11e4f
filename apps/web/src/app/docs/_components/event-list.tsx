import { JsonView } from '../../../components/json-view.tsx';
import type { EventDescription, Schema } from '../api-document.ts';
import classes from '../docs.module.css';
import { exampleOf } from '../example-of.ts';
import eventClasses from './event-list.module.css';

/** The types of events that webhook endpoints receive, with an example message. */
export function EventList({
  events,
  schemas,
}: {
  events: readonly EventDescription[];
  schemas: Readonly<Record<string, Schema>>;
}) {
  const [first] = events;
  return (
    <section id="events" className={classes.operation}>
      <div className={classes.words}>
        <h2 className={classes.heading}>Events</h2>
        <p className={classes.text}>
          Your webhook endpoints receive an event when something happens to a payment. Each is sent until it arrives, in the order
          of its payment, under one id: treat an id you know as delivered. Check <code>webhook-signature</code> with a library of{' '}
          <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, and answer 2xx within 15 seconds.
        </p>
        <dl className={eventClasses.events}>
          {events.map(({ type, description }) => (
            <div key={type}>
              <dt>
                <code>{type}</code>
              </dt>
              <dd>{description}</dd>
            </div>
          ))}
        </dl>
      </div>
      {first !== undefined && (
        <div className={classes.examples}>
          <h3 className={classes.exampleTitle}>Body</h3>
          <JsonView text={JSON.stringify(exampleOf(first.body, schemas))} label="An event" />
        </div>
      )}
    </section>
  );
}
