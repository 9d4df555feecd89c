// How names are compared: after normal form C and without regard to case (SPEC sections 3 and 5).
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();
