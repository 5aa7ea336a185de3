/** True when the long forms of proofs are wanted (`npm run proof`). */
export const PROOF = process.env.PROOF === '1';
