/**
 * A `Date` that is ahead of the machine's by an offset. The runner and every instance of a function install it, so no
 * code of the service knows that its clock can be moved. Timers are unchanged: they measure durations. It is plain
 * JavaScript, so that an instance starts without type stripping.
 */
const MachineDate = Date;
let clockOffsetMs = 0;

/** Sets how far the clock is ahead of the machine's, in milliseconds. */
export function setClockOffset(ms) {
  clockOffsetMs = ms;
}

/** Returns the machine's time in epoch milliseconds. */
export function machineTimeMs() {
  return MachineDate.now();
}

/** Replaces the global `Date` by the shifted one. */
export function installShiftedDate() {
  const now = () => MachineDate.now() + clockOffsetMs;
  const ShiftedDate = new Proxy(MachineDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: (target) => new target(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  MachineDate.prototype.constructor = ShiftedDate;
  globalThis.Date = ShiftedDate;
}
