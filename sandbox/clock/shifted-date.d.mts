export declare function setClockOffset(ms: number): void;
export declare function machineTimeMs(): number;
export declare function installShiftedDate(): void;
