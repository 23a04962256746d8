/**
 * Starts the clock of each test file at `CLOCK_START`, an instant such as 2028-02-29T23:58:00Z: no test may depend on the
 * hour or the day of its run. Processes that a test starts keep the machine's clock.
 */
const machineNow = Date.now.bind(Date);
const aheadMs = Date.parse(process.env.CLOCK_START) - machineNow();
const now = () => machineNow() + aheadMs;

// A property, which tests may replace by a clock of their own.
Date.now = now;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: (target) => new target(now()).toString(),
});
