import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { effect, target } from '../../effect.ts'
import { apiEffect } from './apis.ts'
import { describeUrl, urlAttributes, urlTarget } from './index.ts'

function told(method: string | null, url: string, verb: 'send' | 'fetch' = 'send'): string {
  const attributes = { ...urlAttributes(describeUrl(url)), ...(method === null ? {} : { method }) }
  const found = apiEffect(effect(verb, urlTarget(url), { attributes, span: { pointer: '/url', start: 0, end: 3 } }))
  return found === null ? 'nothing' : `${found.verb} ${found.action} ${found.target.kind} ${found.target.value}`
}

describe('what a request does at the other end', () => {
  const CASES: readonly (readonly [method: string | null, url: string, expected: string])[] = [
    ['POST', 'https://api.github.com/repos/o/r/releases', 'publish gh:release repository o/r'],
    ['post', 'https://api.github.com/repos/o/r/releases?per_page=1', 'publish gh:release repository o/r'],
    ['POST', 'https://uploads.github.com/repos/o/r/releases/1/assets?name=x', 'publish gh:release repository o/r'],
    ['POST', 'https://github.acme.example/api/v3/repos/o/r/pulls', 'publish gh:pr-create repository o/r'],
    ['PUT', 'https://api.github.com/repos/o/r/pulls/3/merge', 'change gh:pr-merge repository o/r'],
    ['DELETE', 'https://api.github.com/repos/o/r', 'delete gh:repo-delete repository o/r'],
    ['PATCH', 'https://api.github.com/repos/o/r', 'change gh:repo-edit repository o/r'],
    ['PUT', 'https://api.github.com/repos/o/r/contents/x.txt', 'publish git:push repository o/r'],
    ['PATCH', 'https://api.github.com/repos/o/r/git/refs/heads/main', 'publish git:push repository o/r'],
    ['POST', 'https://api.github.com/repos/o/r/actions/workflows/1/dispatches', 'change gh:workflow-run repository o/r'],
    ['PUT', 'https://registry.npmjs.org/left-pad', 'publish npm:publish package left-pad'],
    ['PUT', 'https://registry.npmjs.org/@acme%2fpad', 'publish npm:publish package @acme/pad'],
    ['DELETE', 'https://registry.npmjs.org/left-pad/-rev/1-x', 'delete npm:unpublish package left-pad'],
    ['PUT', 'https://registry.npmjs.org/-/package/left-pad/dist-tags/latest', 'publish npm:dist-tag package left-pad'],
    ['POST', 'https://upload.pypi.org/legacy/', 'publish pypi:publish url https://upload.pypi.org/legacy/'],
    ['PUT', 'https://crates.io/api/v1/crates/new', 'publish crates:publish url https://crates.io/api/v1/crates/new'],
    ['DELETE', 'https://crates.io/api/v1/crates/serde/1.0.0/yank', 'delete crates:yank package serde'],
    ['POST', 'https://rubygems.org/api/v1/gems', 'publish gems:publish url https://rubygems.org/api/v1/gems'],
    ['DELETE', 'https://rubygems.org/api/v1/gems/yank', 'delete gems:yank url https://rubygems.org/api/v1/gems/yank'],
    ['PUT', 'https://registry-1.docker.io/v2/acme/app/manifests/latest', 'publish docker:push package acme/app'],
    ['POST', 'https://ghcr.io/v2/acme/app/blobs/uploads/', 'publish docker:push package acme/app'],
    [null, 'https://api.stripe.com/v1/charges', 'pay payment:transfer url https://api.stripe.com/v1/charges'],
    ['POST', 'https://API.Stripe.com./v1/refunds', 'pay payment:refund url https://API.Stripe.com./v1/refunds'],
    ['POST', 'https://api.stripe.com/v1/subscriptions', 'change payment:billing url https://api.stripe.com/v1/subscriptions'],
    ['POST', 'https://api-m.paypal.com/v1/payments/payouts', 'pay payment:transfer url https://api-m.paypal.com/v1/payments/payouts'],
    [
      'POST',
      'https://api-m.paypal.com/v2/payments/captures/7/refund',
      'pay payment:refund url https://api-m.paypal.com/v2/payments/captures/7/refund',
    ],
    ['POST', 'https://connect.squareup.com/v2/payments', 'pay payment:transfer url https://connect.squareup.com/v2/payments'],
    ['POST', 'https://api.wise.com/v1/transfers', 'pay payment:transfer url https://api.wise.com/v1/transfers'],
    ['POST', 'https://api.sendgrid.com/v3/mail/send', 'send mail:send url https://api.sendgrid.com/v3/mail/send'],
    [
      'POST',
      'https://gmail.googleapis.com/gmail/v1/users/me/messages/send',
      'send mail:send url https://gmail.googleapis.com/gmail/v1/users/me/messages/send',
    ],
    ['POST', 'https://graph.microsoft.com/v1.0/me/sendMail', 'send mail:send url https://graph.microsoft.com/v1.0/me/sendMail'],
    [
      'POST',
      'https://email.eu-west-1.amazonaws.com/v2/email/outbound-emails',
      'send mail:send url https://email.eu-west-1.amazonaws.com/v2/email/outbound-emails',
    ],
    ['PUT', 'smtp://mail.example', 'send mail:send url smtp://mail.example'],
    ['POST', 'https://api.netlify.com/api/v1/sites/1/deploys', 'publish pages:deploy url https://api.netlify.com/api/v1/sites/1/deploys'],
    ['POST', 'https://api.vercel.com/v13/deployments', 'publish pages:deploy url https://api.vercel.com/v13/deployments'],
    [
      'POST',
      'https://app.terraform.io/api/v2/runs/run-1/actions/apply',
      'change tf:apply url https://app.terraform.io/api/v2/runs/run-1/actions/apply',
    ],
    [
      'DELETE',
      'https://10.0.0.1:6443/api/v1/namespaces/default/pods/x',
      'delete k8s:delete url https://10.0.0.1:6443/api/v1/namespaces/default/pods/x',
    ],
    [
      'PATCH',
      'https://10.0.0.1:6443/apis/apps/v1/namespaces/default/deployments/x',
      'change k8s:apply url https://10.0.0.1:6443/apis/apps/v1/namespaces/default/deployments/x',
    ],
    // What nobody gates, and what only looks like it.
    ['GET', 'https://api.github.com/repos/o/r/releases', 'nothing'],
    ['HEAD', 'https://registry.npmjs.org/left-pad', 'nothing'],
    ['POST', 'https://api.github.com/repos/o/r/issues/1/comments', 'nothing'],
    ['POST', 'https://api.github.com.evil.example/repos/o/r/releases', 'nothing'],
    ['POST', 'https://evilapi.stripe.com.example/v1/charges', 'nothing'],
    ['POST', 'https://example.com/v1/charges', 'nothing'],
    ['POST', 'https://api.stripe.com/v1/customers', 'nothing'],
    ['POST', 'https://registry.npmjs.org/-/v1/login', 'nothing'],
    ['POST', 'https://api.sendgrid.com/v3/templates', 'nothing'],
    ['POST', 'https://app.example/api/v1/namespaces', 'nothing'],
    ['POST', 'https://app.example/v2/users/1', 'nothing'],
    ['POST', 'not a url', 'nothing'],
    ['POST', '', 'nothing'],
  ]
  for (const [method, url, expected] of CASES) {
    proves(['ROS-W3', 'ROS-W5'], `${method ?? 'a body'} ${url}`, () => expect(told(method, url)).toBe(expected))
  }

  test('without a body and a method it only fetches', () => {
    expect(told(null, 'https://api.stripe.com/v1/charges', 'fetch')).toBe('nothing')
    expect(told('POST', 'https://api.stripe.com/v1/charges', 'fetch')).toContain('payment:transfer')
  })

  test('what is no request has no other end', () => {
    expect(apiEffect(effect('read', urlTarget('https://api.stripe.com/v1/charges')))).toBeNull()
    expect(apiEffect(effect('send', target('address', 'a@b.example')))).toBeNull()
  })

  test('it is no surer than the request, and points at the same place', () => {
    const span = { pointer: '/command', start: 4, end: 9 }
    const request = effect('send', urlTarget('https://api.stripe.com/v1/charges'), {
      certainty: 'possible',
      span,
      attributes: { method: 'POST' },
    })
    expect(apiEffect(request)).toMatchObject({
      certainty: 'possible',
      span,
      reversible: false,
      attributes: { method: 'POST', over: 'http' },
    })
  })
})
