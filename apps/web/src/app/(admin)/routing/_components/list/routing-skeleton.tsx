import classes from './routing-skeleton.module.css';

const RULES = ['one', 'two', 'three', 'four', 'five'];
const ROWS = ['one', 'two', 'three', 'four', 'five', 'six'];

/** Placeholder of the rule list and the map while they load. */
export function RoutingSkeleton() {
  return (
    <div
      className="grid gap-10 mt-14 min-[1100px]:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)]"
      role="status"
      aria-label="Loading the rules"
    >
      <div>
        {RULES.map((name) => (
          <div key={name} className={classes.rule}>
            <i className="block bg-ground-hover [animation:breathe_1.4s_ease-in-out_infinite_alternate] w-6 h-6 rounded-[12px]" />
            <span>
              <i className={classes.line} />
              <i className={classes.line} data-long="true" />
              <i className={classes.line} />
            </span>
          </div>
        ))}
      </div>
      <div className="grid gap-1.5 content-start">
        {ROWS.map((name) => (
          <i
            key={name}
            className="block rounded-sm bg-ground-hover [animation:breathe_1.4s_ease-in-out_infinite_alternate] h-10"
          />
        ))}
      </div>
    </div>
  );
}
