// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "./plain-token.sol";

/// All balances grow and shrink with one factor, without a log.
contract RebasingToken is PlainToken {
    uint256 public percent = 100;

    constructor(uint256 supply) PlainToken(supply) {}

    function rebase(uint256 to) public {
        percent = to;
    }

    function balanceOf(address owner) public view override returns (uint256) {
        return balances[owner] * percent / 100;
    }

    function move(address from, address to, uint256 value) internal override {
        uint256 parts = value * 100 / percent;
        balances[from] -= parts;
        balances[to] += parts;
        emit Transfer(from, to, value);
    }
}
