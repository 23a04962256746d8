export declare function setClockOffset(ms: number): void;
export declare function machineNow(): number;
export declare function installShiftedDate(): void;
