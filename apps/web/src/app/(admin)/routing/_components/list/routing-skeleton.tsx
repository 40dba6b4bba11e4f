import classes from './routing-skeleton.module.css';

const RULES = ['one', 'two', 'three', 'four', 'five'];
const ROWS = ['one', 'two', 'three', 'four', 'five', 'six'];

/** Placeholder of the rule list and the map while they load. */
export function RoutingSkeleton() {
  return (
    <div className={classes.columns} role="status" aria-label="Loading the rules">
      <div>
        {RULES.map((name) => (
          <div key={name} className={classes.rule}>
            <i className={classes.number} />
            <span>
              <i className={classes.line} />
              <i className={classes.line} data-long="true" />
              <i className={classes.line} />
            </span>
          </div>
        ))}
      </div>
      <div className={classes.map}>
        {ROWS.map((name) => (
          <i key={name} className={classes.row} />
        ))}
      </div>
    </div>
  );
}
