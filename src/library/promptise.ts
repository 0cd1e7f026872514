/** `countersign/promptise`: Promptise's classifier over the gate. */
export { AutoApprovalClassifier, type ClassifierOptions } from '../adapters/sdk/classifier.ts'
