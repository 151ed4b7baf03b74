// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "./plain-token.sol";

/// Keeps one per cent of each transfer, and logs the whole amount.
contract FeeToken is PlainToken {
    constructor(uint256 supply) PlainToken(supply) {}

    function move(address from, address to, uint256 value) internal override {
        balances[from] -= value;
        balances[to] += value - value / 100;
        emit Transfer(from, to, value);
    }
}
