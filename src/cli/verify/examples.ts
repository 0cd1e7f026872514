/** Calls that do what policies gate. None of them is ever run: the gate is only asked about them. */
import { bareCall, type ToolCall } from '../../core/call.ts'
import type { JsonObject } from '../../core/json.ts'

/** Shell commands, so that they can be sent through every entry. */
export const COMMANDS: readonly string[] = [
  'git push origin main',
  'npm publish',
  'npm unpublish shop@1.0.0',
  'npm deprecate shop@1.0.0 old',
  'twine upload dist/shop-1.0.0.tar.gz',
  'cargo publish',
  'gem push shop-1.0.0.gem',
  'docker push registry.example/shop:1',
  'gh release create v1.0.0',
  'gh pr create --title change --body text',
  'gh pr merge 1 --merge',
  'gh repo edit acme/shop --visibility private',
  'gh repo delete acme/shop --yes',
  'gh workflow run deploy.yml',
  'wrangler pages deploy dist',
  'cdk deploy shop',
  'argocd app sync shop',
  'terraform apply -auto-approve',
  'terraform destroy -auto-approve',
  'kubectl apply -f shop.yaml',
  'kubectl delete pod web',
  'helm upgrade shop ./chart',
  'helm uninstall shop',
  'alembic upgrade head',
  'echo text | mail -s subject someone@example.com',
]

/** Tools of servers; they come through the gate itself, the MCP proxy and the library. */
export const TOOL_CALLS: readonly { readonly server: string; readonly name: string; readonly args: JsonObject }[] = [
  { server: 'stripe', name: 'create_refund', args: { payment_intent: 'pi_1', amount: 100 } },
  { server: 'gmail', name: 'send_email', args: { to: ['someone@example.com'], subject: 'subject', body: 'text' } },
]

/** A tool that nobody described. */
export const UNKNOWN_TOOL = 'countersign_verify_example'

export const AGENT = 'countersign-verify'
export const USER = 'countersign-verify-user'

export function exampleCall(tool: ToolCall['tool'], args: JsonObject, cwd: string): ToolCall {
  return bareCall(tool.name, args, { tool, principal: { agent: AGENT, user: USER }, session: 'verify', cwd })
}
